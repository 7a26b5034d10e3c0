# bash completion for latchkey(1); bash 3.2 and newer

# Offers what compgen prints for these arguments.
_latchkey_offer() {
  local one
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen "$@")
}

# begin: options, written by the build from commands.mjs
# end: options

_latchkey() {
  local word=${COMP_WORDS[COMP_CWORD]} options at values
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    options=$(_latchkey_words '')
    [[ $word != -* ]] || options='--help --version'
    _latchkey_offer -W "$options" -- "$word"
    return
  fi

  options=$(_latchkey_words "${COMP_WORDS[1]}") || return
  case ${COMP_WORDS[1]} in
    clients) [[ $word == -* ]] || options='python r node' ;;
    ssh)
      # The host is the first word that is neither an option nor an option's value.
      for ((at = 2; at < COMP_CWORD; at++)); do
        case ${COMP_WORDS[at]} in
          --connection)
            at=$((at + 1))
            [[ ${COMP_WORDS[at]-} != '=' ]] || at=$((at + 1))
            ;;
          -*) ;;
          *) return 0 ;;
        esac
      done
      ((at == COMP_CWORD)) || return 0
      if [[ $word != -* ]]; then options=; _latchkey_offer -A hostname -- "$word"; fi
      ;;
  esac

  # Skips the options. bash splits an option such as --min-validity=60 into three words.
  for ((at = 2; at <= COMP_CWORD; at++)); do
    case ${COMP_WORDS[at]} in
      --format | --min-validity | --until | --connection)
        values=$(_latchkey_words "${COMP_WORDS[at]}")
        at=$((at + 1))
        [[ ${COMP_WORDS[at]-} != '=' ]] || at=$((at + 1))
        ((at != COMP_CWORD)) || { _latchkey_offer -W "$values" -- "$word"; return; }
        ;;
      --)
        ((at < COMP_CWORD)) || continue
        at=$((at + 1))
        break
        ;;
      -*) ;;
      *) break ;;
    esac
  done

  if [[ ${COMP_WORDS[1]} != exec ]] || ((at > COMP_CWORD)); then
    _latchkey_offer -W "$options" -- "$word"
  elif declare -F _command_offset >/dev/null; then
    # Uses COMMAND's own completion, through bash-completion.
    _command_offset "$at"
  elif ((at == COMP_CWORD)); then
    _latchkey_offer -c -- "$word"
  else
    # COMP_WORDS has the word as typed. Its quote and backslashes are removed here, and readline adds them again.
    word=${word#[\"\']}
    compopt -o filenames 2>/dev/null
    _latchkey_offer -f -- "${word//\\/}"
  fi
}

complete -F _latchkey latchkey
