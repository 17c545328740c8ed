import {
  actionErrors,
  apiErrors,
  clientErrors,
  configErrors,
  inputErrors,
  loadErrors,
  partErrors,
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
  loadErrors,
  partErrors,
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
