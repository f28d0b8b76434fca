"""Runs one operation of `ctx paging`: the command on PATH, else the package by npx."""
import os
import shutil
import sys


def run(operation):
    arguments = ["paging", operation, *sys.argv[1:]]
    ctx = shutil.which("ctx")
    command = [ctx] if ctx else [shutil.which("npx") or "npx", "-y", "-p", "ctx-mcp", "ctx"]
    try:
        if os.name == "nt":
            import subprocess

            sys.exit(subprocess.call([*command, *arguments]))
        os.execvp(command[0], [*command, *arguments])
    except OSError as error:
        sys.exit(f"Error: neither ctx nor npx can be run ({error}). Install Node 22.13 or newer, then: npm i -g ctx-mcp")
