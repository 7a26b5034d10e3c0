# bash completion for latchkey(1); bash 3.2 and newer

# Offers the output of compgen for these arguments.
_latchkey_offer() {
  local one
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen "$@")
}

_latchkey() {
  local word=${COMP_WORDS[COMP_CWORD]} options='--help' at
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    options='token header exec rejected status socket ssh clients open doctor'
    [[ $word != -* ]] || options='--help --version'
    _latchkey_offer -W "$options" -- "$word"
    return
  fi

  case ${COMP_WORDS[1]} in
    token) options='--min-validity --connection --format --help' ;;
    header) options='--min-validity --connection --help' ;;
    exec) options='--min-validity --best-effort --connection --help' ;;
    status) options='--json --connection --help' ;;
    rejected) options='--connection --help' ;;
    clients) [[ $word == -* ]] || options='python r node' ;;
    ssh)
      # The host is the first word that is neither an option nor the value of one.
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
      if [[ $word == -* ]]; then options='--connection --help'; else options=; _latchkey_offer -A hostname -- "$word"; fi
      ;;
    socket | open | doctor) ;;
    *) return ;;
  esac

  # Skips the options. bash splits an option such as --min-validity=60 into three words.
  for ((at = 2; at <= COMP_CWORD; at++)); do
    case ${COMP_WORDS[at]} in
      --format)
        at=$((at + 1))
        [[ ${COMP_WORDS[at]-} != '=' ]] || at=$((at + 1))
        ((at != COMP_CWORD)) || { _latchkey_offer -W 'text json oauth headers kubernetes' -- "$word"; return; }
        ;;
      --min-validity | --connection)
        at=$((at + 1))
        [[ ${COMP_WORDS[at]-} != '=' ]] || at=$((at + 1))
        ((at != COMP_CWORD)) || return 0
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
