/** A signal that aborts when this process is asked to end. The second request ends it at once. */
export const endSignal = () => {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1)
      controller.abort(new Error('ended before it was up'))
    })
  return controller.signal
}
