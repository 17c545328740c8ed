import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
} from '@solana/kit'

/**
 * Whether a node does not show a transaction because its version is later than the service supports. A repeated
 * request fails too. The service never signs such a transaction.
 */
export const isUnsupportedVersion = (error: unknown): boolean =>
  isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)
