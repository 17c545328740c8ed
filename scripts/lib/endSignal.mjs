/** A signal that aborts when somebody asks this process to end; the second time it ends at once. */
export const endSignal = () => {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1)
      controller.abort(new Error('ended before it was up'))
    })
  return controller.signal
}
