# fish completion for latchkey(1)

# Prints the words typed after `latchkey exec` and its options; fails if there are none yet.
function __latchkey_exec_command
    set -l words (commandline -opc) (commandline -ct)
    test "$words[2]" = exec; or return 1
    set -e words[1..2]
    while set -q words[2]
        switch $words[1]
            case --min-validity --until --connection
                set -e words[1..2]
            case --
                set -e words[1]
                break
            case '-*'
                set -e words[1]
            case '*'
                break
        end
    end
    set -q words[1]; and not string match -q -- '-*' $words[1]; and printf '%s\n' $words
end

complete -c latchkey -f
# begin: commands, written by the build from commands.mjs
# end: commands
complete -c latchkey -n __fish_use_subcommand -l version -d 'Show the version'
complete -c latchkey -n 'not __latchkey_exec_command >/dev/null' -l help -d 'Show the usage'
# begin: options, written by the build from commands.mjs
# end: options
complete -c latchkey -n '__fish_seen_subcommand_from clients; and not __fish_seen_subcommand_from python r node' -a 'python r node'
complete -c latchkey -n '__fish_seen_subcommand_from ssh; and contains (count (commandline -opc)) 2 4' -a '(__fish_print_hostnames)'
complete -c latchkey -n '__latchkey_exec_command >/dev/null' -x -a '(__fish_complete_subcommand --commandline (__latchkey_exec_command))'
