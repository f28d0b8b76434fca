"use strict"

/** Starts a bundle that lies beside this file, with Node's compile cache where there is one. */
module.exports = function launch(name) {
  var version = process.versions.node.split(".").map(Number)
  var tooOld = version[0] < 22 || (version[0] === 22 && version[1] < 13)
  // Deno reports a Node version of its own choosing, and runs the bundle.
  if (tooOld && process.versions.deno === undefined) {
    process.stderr.write(name + " needs Node 22.13 or newer (this is " + process.versions.node + "), or Deno 2.2.\n")
    process.exitCode = 1
    return
  }
  var enableCompileCache = require("module").enableCompileCache
  if (enableCompileCache !== undefined) enableCompileCache()
  import("./" + name + ".mjs")
}
