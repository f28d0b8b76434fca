#!/usr/bin/env node
"use strict"

// Plain CommonJS in old syntax: it must still run on a Node that cannot read the rest.
if (process.argv[2] === "hook") require("./hook.cjs")(process.argv.slice(3))
else require("./launch.cjs")("ctx-mcp")
