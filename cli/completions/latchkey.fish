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
# begin: commands, written by `npm run docs` from commands.mjs
complete -c latchkey -n __fish_use_subcommand -a token -d 'Print the access token'
complete -c latchkey -n __fish_use_subcommand -a header -d 'Print the header with the token, for curl -H @-'
complete -c latchkey -n __fish_use_subcommand -a exec -d 'Run a command with the token in its environment'
complete -c latchkey -n __fish_use_subcommand -a rejected -d 'Replace a rejected token, read from standard input'
complete -c latchkey -n __fish_use_subcommand -a status -d 'Print the state of the session'
complete -c latchkey -n __fish_use_subcommand -a sign-out -d 'End the session'
complete -c latchkey -n __fish_use_subcommand -a socket -d "Print the path of the agent's socket"
complete -c latchkey -n __fish_use_subcommand -a mcp -d 'Connect an AI client with an MCP server of the data service'
complete -c latchkey -n __fish_use_subcommand -a ssh -d 'Run ssh and forward this agent to remote programs'
complete -c latchkey -n __fish_use_subcommand -a gateway -d 'Print the address for programs that take a username and password'
complete -c latchkey -n __fish_use_subcommand -a open -d "Show Latchkey's window"
complete -c latchkey -n __fish_use_subcommand -a clients -d 'Print the paths of the libraries for Python, R and Node'
complete -c latchkey -n __fish_use_subcommand -a doctor -d 'Check this computer'
complete -c latchkey -n __fish_use_subcommand -a policy -d 'Say what a policy does, and what is wrong in it'
# end: commands
complete -c latchkey -n __fish_use_subcommand -l version -d 'Show the version'
complete -c latchkey -n 'not __latchkey_exec_command >/dev/null' -l help -d 'Show the usage'
# begin: options, written by `npm run docs` from commands.mjs
complete -c latchkey -n '__fish_seen_subcommand_from token header exec; and not __latchkey_exec_command >/dev/null' -x -l min-validity -d 'Minimum validity of the token in seconds'
complete -c latchkey -n '__fish_seen_subcommand_from exec; and not __latchkey_exec_command >/dev/null' -l best-effort -d 'Run the command even if the token is valid for less'
complete -c latchkey -n '__fish_seen_subcommand_from token header exec; and not __latchkey_exec_command >/dev/null' -l wait -d 'Wait until there is a token'
complete -c latchkey -n '__fish_seen_subcommand_from token header exec rejected status sign-out mcp ssh gateway; and not __latchkey_exec_command >/dev/null' -x -l connection -d 'Name of the connection'
complete -c latchkey -n '__fish_seen_subcommand_from token; and not __latchkey_exec_command >/dev/null' -x -l format -a 'text json oauth headers kubernetes' -d 'Format of the output'
complete -c latchkey -n '__fish_seen_subcommand_from gateway; and not __latchkey_exec_command >/dev/null' -l new-password -d 'Make a new password'
complete -c latchkey -n '__fish_seen_subcommand_from exec status; and not __latchkey_exec_command >/dev/null' -x -l until -d 'Time of day or duration for which the session should last'
complete -c latchkey -n '__fish_seen_subcommand_from exec; and not __latchkey_exec_command >/dev/null' -l strict -d 'Refuse to run the command in that case'
complete -c latchkey -n '__fish_seen_subcommand_from sign-out; and not __latchkey_exec_command >/dev/null' -l all -d 'All connections'
complete -c latchkey -n '__fish_seen_subcommand_from mcp; and not __latchkey_exec_command >/dev/null' -x -l config -a 'claude cursor vscode' -d 'Print the configuration of an AI client'
complete -c latchkey -n '__fish_seen_subcommand_from status; and not __latchkey_exec_command >/dev/null' -l json -d 'Print JSON'
complete -c latchkey -n '__fish_seen_subcommand_from doctor; and not __latchkey_exec_command >/dev/null' -l log -d 'Print the last lines of the log'
complete -c latchkey -n '__fish_seen_subcommand_from policy; and not __latchkey_exec_command >/dev/null' -l installed -d 'Check the installed policy'
# end: options
complete -c latchkey -n '__fish_seen_subcommand_from clients; and not __fish_seen_subcommand_from python r node' -a 'python r node'
complete -c latchkey -n '__fish_seen_subcommand_from ssh; and contains (count (commandline -opc)) 2 4' -a '(__fish_print_hostnames)'
complete -c latchkey -n '__latchkey_exec_command >/dev/null' -x -a '(__fish_complete_subcommand --commandline (__latchkey_exec_command))'
