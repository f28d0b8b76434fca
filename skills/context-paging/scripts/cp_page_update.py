#!/usr/bin/env python3
from cp_run import run

run("page-update")
