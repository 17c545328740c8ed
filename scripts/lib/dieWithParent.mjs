/**
 * Loaded before a child's own code. The child's standard input is a pipe from its parent, which ends when the
 * parent is gone, however it ended. Then the child ends too, as if it had been asked to.
 */
process.stdin.on('error', () => {})
process.stdin.on('close', () => {
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.exit(1), 8000).unref()
})
process.stdin.resume()
process.stdin.unref?.()
