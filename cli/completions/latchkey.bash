# bash completion for latchkey(1); bash 3.2 and newer

# Offers what compgen prints for these arguments.
_latchkey_offer() {
  local one
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen "$@")
}

# begin: options, written by `npm run docs` from commands.mjs
# The words after each command, and after each option with a value.
_latchkey_words() {
  case $1 in
    '') printf '%s\n' token header exec rejected status sign-out socket mcp ssh gateway open clients doctor policy ;;
    token) printf '%s\n' --min-validity --wait --connection --format --help ;;
    header) printf '%s\n' --min-validity --wait --connection --help ;;
    exec) printf '%s\n' --min-validity --best-effort --wait --until --strict --connection --help ;;
    rejected) printf '%s\n' --connection --help ;;
    status) printf '%s\n' --json --until --connection --help ;;
    sign-out) printf '%s\n' --connection --all --help ;;
    socket) printf '%s\n' --help ;;
    mcp) printf '%s\n' --connection --config --help ;;
    ssh) printf '%s\n' --connection --help ;;
    gateway) printf '%s\n' --new-password --connection --help ;;
    open) printf '%s\n' --help ;;
    clients) printf '%s\n' --help ;;
    doctor) printf '%s\n' --log --help ;;
    policy) printf '%s\n' --installed --help ;;
    --min-validity) ;;
    --connection) ;;
    --format) printf '%s\n' text json oauth headers kubernetes ;;
    --until) ;;
    --config) printf '%s\n' claude cursor vscode ;;
    *) return 1 ;;
  esac
}
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
    # The word is as typed, with its quote and backslashes; readline adds them again.
    word=${word#[\"\']}
    compopt -o filenames 2>/dev/null
    _latchkey_offer -f -- "${word//\\/}"
  fi
}

complete -F _latchkey latchkey
