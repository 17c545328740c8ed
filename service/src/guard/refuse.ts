import { ServiceError } from '../errors.js'

/** Returns the error of a URL that a caller chose. The code that knows the field adds its name. */
export const refuse = (problem: string): ServiceError => new ServiceError('input-invalid', problem)

/** Returns the error of every URL that leads to a non-public host, directly, by its name or by a redirect. */
export const refusePrivate = (): ServiceError => refuse('leads to an address that is not public')
