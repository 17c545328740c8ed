/** One line of a diagnosis. It contains no secrets. */
export type Check = {
  /** What was checked, such as `database` or `operator on base`. */
  name: string
  /** With a warning the service works, and with a failure a part of it does not. */
  status: 'ok' | 'warning' | 'failed'
  /** What was found and, unless all is well, what to do. */
  text: string
}
