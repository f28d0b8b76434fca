#!/usr/bin/env node
"use strict"

// Plain CommonJS in old syntax: it must still run on a Node that cannot read the rest.
require("./launch.cjs")("ctx-mcp")
