import {
  actionErrors,
  apiErrors,
  configErrors,
  inputErrors,
  payErrors,
  serverErrors,
  webhookErrors,
} from '../../src/errors/index.js'

/** Every error code there is, of all areas. */
export const errorCodes: string[] = [
  configErrors,
  inputErrors,
  apiErrors,
  actionErrors,
  payErrors,
  serverErrors,
  webhookErrors,
].flatMap(Object.keys)
