import type { ErrorContext, ErrorRow, KassaErrorCode, Remedy } from './context.js'

/**
 * The only error class of the library. Recognise it with {@link isKassaError}, not `instanceof`, so that it
 * works with two copies of the package in one app.
 */
export class KassaError<Code extends KassaErrorCode = KassaErrorCode> extends Error {
  override readonly name = 'KassaError'
  readonly code: Code
  readonly context: ErrorContext[Code]
  readonly retryable: boolean
  /** What the buyer or the app can do about it. */
  readonly remedy: Remedy
  /** The page about this error in the package. */
  readonly docs: string

  constructor(code: Code, context: ErrorContext[Code], row: ErrorRow<Code>, options?: { cause?: unknown }) {
    super(row.message(context), options)
    this.code = code
    this.context = context
    this.retryable = row.retryable
    this.remedy = row.remedy
    this.docs = `kassa/errors/${code}.md`
  }
}

/** A {@link KassaError} of any code, as a union that narrows by `code`. */
export type AnyKassaError = { [Code in KassaErrorCode]: KassaError<Code> }[KassaErrorCode]

/** Whether a caught value is an error of this library, optionally with the given code. */
export const isKassaError = <Code extends KassaErrorCode = KassaErrorCode>(
  error: unknown,
  code?: Code,
): error is { [C in Code]: KassaError<C> }[Code] =>
  error instanceof Error &&
  error.name === 'KassaError' &&
  'code' in error &&
  (code === undefined || error.code === code)

/** Creates the constructor of one area's errors from its table. */
export const createErrors =
  <Codes extends KassaErrorCode>(table: { [Code in Codes]: ErrorRow<Code> }) =>
  <Code extends Codes>(
    code: Code,
    context: ErrorContext[Code],
    options?: { cause?: unknown },
  ): KassaError<Code> =>
    new KassaError(code, context, table[code], options)
