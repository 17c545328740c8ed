#!/usr/bin/env node
import { main } from './main.js'
import { runProgram } from './process/runProgram.js'

const status = await runProgram(process.argv.slice(2), {
  env: process.env,
  pid: process.pid,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  start: main,
})
// A start that failed may leave connections behind that would keep the process.
if (status) process.exit(status)
