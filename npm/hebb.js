#!/usr/bin/env node
// Starts the hebb of this platform. Agents are wired to a copy of that program itself, never to this file.
"use strict";
const { spawnSync } = require("child_process");
const { createHash, createPublicKey, verify } = require("crypto");
const { readFileSync } = require("fs");

// The public key that releases are signed with; empty while they are not signed. The same stands in install.sh and in hebb itself.
const key = "";

const counted = (bytes) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, Buffer.from(bytes)]);
};

// signed says whether a file beside which lies its signature (ssh-keygen -Y sign) was signed with the key.
function signed(file) {
  const owner = Buffer.from(key.split(" ")[1], "base64");
  const armour = readFileSync(file + ".sig", "utf8").replace(/-----[A-Z ]+-----|\s/g, "");
  const signature = Buffer.from(armour, "base64").subarray(-64);
  const about = ["hebb-release", "", "sha512"].map(counted);
  const sum = createHash("sha512").update(readFileSync(file)).digest();
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: owner.subarray(-32).toString("base64url") }, format: "jwk" });
  return verify(null, Buffer.concat([Buffer.from("SSHSIG"), ...about, counted(sum)]), publicKey, signature);
}

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
if (key) {
  let ours = false;
  try {
    ours = signed(program);
  } catch {
    // no signature, or none that can be read
  }
  if (!ours) {
    console.error(`hebb: ${program} is not signed with the key of hebb's releases, so it is not started. Install ${name} again.`);
    process.exit(1);
  }
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`hebb: cannot start ${program}: ${error.message}`);
  process.exit(1);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 1);
