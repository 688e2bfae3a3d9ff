#!/usr/bin/env node
// Starts the hebb of this platform. Agents are wired to a copy of that program itself, never to this file.
"use strict";
const { spawnSync } = require("child_process");
const name = `@hebb-memory/hebb-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/hebb${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(
    `hebb: ${name} is not installed. If npm left out optional dependencies, install again with --include=optional; ` +
      `other ways to get hebb: https://github.com/hebb-memory/hebb#get-it`,
  );
  process.exit(1);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`hebb: cannot start ${program}: ${error.message}`);
  process.exit(1);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
