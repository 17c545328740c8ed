import {
  actionErrors,
  apiErrors,
  configErrors,
  inputErrors,
  payErrors,
  webhookErrors,
} from '../../src/errors/index.js'

/** Every error code there is, of all areas. */
export const errorCodes: string[] = [
  configErrors,
  inputErrors,
  apiErrors,
  actionErrors,
  payErrors,
  webhookErrors,
].flatMap(Object.keys)
