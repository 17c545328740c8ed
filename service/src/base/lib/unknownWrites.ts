import { ServiceError } from '../errors.js'

/** The error of a chain whose operator has written what the database does not know. */
export const createUnknownWrites = (chain: string): ServiceError =>
  new ServiceError(
    'chain-unavailable',
    `The operator's key has written to ${chain} what this database does not know, as after a restored backup. Run "kassa-service restore check".`,
    // The connection is opened again, which compares the two.
    { isOutage: true, retryAfterSeconds: 60 },
  )
