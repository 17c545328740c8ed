#!/usr/bin/env node
import { main } from '#entry/main.js'
import { runProgram } from '#entry/process/runProgram.js'

// The first process of a container receives only the signals that it handles. The service handles them
// separately.
const end = (signal: string) => process.exit(signal === 'SIGINT' ? 130 : 143)
process.on('SIGINT', end).on('SIGTERM', end)

const status = await runProgram(process.argv.slice(2), {
  env: process.env,
  pid: process.pid,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  start: (env, onReady) => {
    process.off('SIGINT', end).off('SIGTERM', end)
    return main(env, onReady)
  },
})
// A failed start may leave connections open that would keep the process alive.
if (status) process.exit(status)
