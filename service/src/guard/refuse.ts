import { ServiceError } from '../errors.js'

/** Says what is wrong with an address that a caller chose; whoever knows its field puts the name before it. */
export const refuse = (problem: string): ServiceError => new ServiceError('input-invalid', problem)

/** What every address gets that leads, by itself, by its name or by a redirect, to a host that is not public. */
export const refusePrivate = (): ServiceError => refuse('leads to an address that is not public')
