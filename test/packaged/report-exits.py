"""Starts a program, waits for it and for every process it leaves behind, and prints how each ended.

A desktop entry's launcher ends as soon as the app runs, so this program reports the app's exit status.
"""
import ctypes
import os
import sys

PR_SET_CHILD_SUBREAPER = 36


def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if os.fork() == 0:
        os.execvp(sys.argv[1], sys.argv[1:])
    while True:
        try:
            ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
            with open(f"/proc/{ended.si_pid}/comm", encoding="utf8") as file:
                name = file.read().strip()
            os.waitpid(ended.si_pid, 0)
        except ChildProcessError:
            return
        how = "exit code" if ended.si_code == os.CLD_EXITED else "signal"
        print(f"[{name} {ended.si_pid} ended with {how} {ended.si_status}]", flush=True)


main()
