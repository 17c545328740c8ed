/** An answer of the service that is none of what was asked for. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** What it tells in place of `error: true`: why a transaction would revert. */
  readonly detail: object | undefined

  constructor(status: number, message: string, detail?: object) {
    super(message)
    this.status = status
    this.detail = detail
  }
}

/** Says that what a caller sent is wrong. */
export const badInput = (message: string): HttpError => new HttpError(400, message)

/** Says that there is no such thing. */
export const notFound = (): HttpError => new HttpError(404, 'Not found')

/** Says which methods a path takes. */
export const refuseMethod = (path: string, methods: readonly string[]): HttpError =>
  new HttpError(404, `Not found: /api${path} takes ${[...methods].sort().join(', ')}`)

/** Reads a JSON body. */
export const readJson = (text: string): unknown => {
  if (!text.trim()) throw badInput('body: required')
  try {
    return JSON.parse(text)
  } catch {
    throw badInput('body: not valid JSON')
  }
}
