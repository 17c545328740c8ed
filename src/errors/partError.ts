import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** The error codes of rendering a part. */
export type PartErrorCode = 'config.part-outside-root'

/** The errors of rendering a part. The table is separate, so that the hooks do not load it. */
export const partErrors: Pick<ErrorTable<'config'>, PartErrorCode> = {
  'config.part-outside-root': {
    message: ({ part }) =>
      `<${part}> was rendered outside <Checkout.Root>, or outside <Checkout.Field> if it is part of a field. Move it inside.`,
    remedy: 'fix-app',
    retryable: false,
  },
}

/** Creates an error of rendering a part. */
export const partError = createErrors(partErrors)
