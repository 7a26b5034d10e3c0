# fish completion for latchkey(1)

# The command that exec runs, as typed so far; fails before its first word.
function __latchkey_exec_command
    set -l words (commandline -opc) (commandline -ct)
    test "$words[2]" = exec; or return 1
    set -e words[1..2]
    while set -q words[2]
        switch $words[1]
            case --min-validity --connection
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
complete -c latchkey -n __fish_use_subcommand -a token -d 'Print the access token'
complete -c latchkey -n __fish_use_subcommand -a header -d 'Print the header that carries it, for curl -H @-'
complete -c latchkey -n __fish_use_subcommand -a exec -d 'Run a command with the token in its environment'
complete -c latchkey -n __fish_use_subcommand -a rejected -d 'Read a token that a service refused from standard input'
complete -c latchkey -n __fish_use_subcommand -a status -d 'Tell what the session is doing'
complete -c latchkey -n __fish_use_subcommand -a socket -d "Print the path of the agent's socket"
complete -c latchkey -n __fish_use_subcommand -a ssh -d 'Run ssh, with this agent for the programs over there'
complete -c latchkey -n __fish_use_subcommand -a open -d "Show Latchkey's window"
complete -c latchkey -n __fish_use_subcommand -a clients -d 'Print where the libraries for Python, R and Node are'
complete -c latchkey -n __fish_use_subcommand -a doctor -d 'Examine this computer, and tell what is wrong'
complete -c latchkey -n __fish_use_subcommand -l version -d 'Show the version'
complete -c latchkey -n 'not __latchkey_exec_command >/dev/null' -l help -d 'Show the usage'
complete -c latchkey -n '__fish_seen_subcommand_from token header exec; and not __latchkey_exec_command >/dev/null' -x -l min-validity -d 'Seconds the token has to be good for, at least'
complete -c latchkey -n '__fish_seen_subcommand_from exec; and not __latchkey_exec_command >/dev/null' -l best-effort -d 'Run the command though the token is good for less'
complete -c latchkey -n '__fish_seen_subcommand_from token header exec rejected status; and not __latchkey_exec_command >/dev/null' -x -l connection -d 'Which of several connections'
complete -c latchkey -n '__fish_seen_subcommand_from token' -x -l format -a 'text json oauth headers kubernetes' -d 'What is printed'
complete -c latchkey -n '__fish_seen_subcommand_from clients; and not __fish_seen_subcommand_from python r node' -a 'python r node'
complete -c latchkey -n '__fish_seen_subcommand_from ssh; and test (count (commandline -opc)) -eq 2' -a '(__fish_print_hostnames)'
complete -c latchkey -n '__fish_seen_subcommand_from status' -l json -d 'As JSON'
complete -c latchkey -n '__latchkey_exec_command >/dev/null' -x -a '(__fish_complete_subcommand --commandline (__latchkey_exec_command))'
