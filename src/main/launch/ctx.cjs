#!/usr/bin/env node
"use strict"

// Plain CommonJS in old syntax: it must still run on a Node that cannot read the rest.
var words = process.argv.slice(2)
// What the Go client's hooks call.
if (words[0] === "capture" && words[1] === "turn") require("./hook.cjs")(words.slice(2))
else require("./launch.cjs")("ctx")
