import {
  actionErrors,
  apiErrors,
  clientErrors,
  configErrors,
  inputErrors,
  passkeyErrors,
  payErrors,
  providerErrors,
  serverErrors,
  transactionErrors,
  walletErrors,
  webhookErrors,
} from '../../src/errors/index.js'

/** Every error code there is, of all areas. */
export const errorCodes: string[] = [
  configErrors,
  clientErrors,
  inputErrors,
  apiErrors,
  actionErrors,
  passkeyErrors,
  payErrors,
  providerErrors,
  serverErrors,
  transactionErrors,
  walletErrors,
  webhookErrors,
].flatMap(Object.keys)
