import { apiErrors, configErrors, payErrors } from '../../src/errors/index.js'

/** Every error code there is, of all areas. */
export const errorCodes: string[] = [configErrors, apiErrors, payErrors].flatMap(Object.keys)
