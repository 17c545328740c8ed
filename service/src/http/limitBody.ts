import { bodyLimit } from 'hono/body-limit'
import { ServiceError } from '../errors.js'

/** Refuses bodies over 1 MiB, before reading them if the caller states their length. */
export const limitBody = () =>
  bodyLimit({
    maxSize: 1024 * 1024,
    onError: () => {
      throw new ServiceError('body-too-large', 'The body is over the limit of 1 MiB')
    },
  })
