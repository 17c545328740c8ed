import * as z from 'zod/mini'
import type { WalletType } from '../schema/members.js'
import {
  ApproveTransactionBody,
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SolanaMpcWalletParams,
  SolanaSmartWalletParams,
} from '../schema/transactionInput.js'
import { AdminSignerInput } from '../schema/walletInput.js'
import { readJsonBody } from './readJsonBody.js'

const NewWallet = z.object({
  type: z.string(),
  config: z.optional(z.object({ adminSigner: z.optional(AdminSignerInput) })),
})

/** Reads a browser's request for a new wallet. It cannot name the owner. */
export const readNewWallet = (request: Request, timeoutMs: number): Promise<z.infer<typeof NewWallet>> =>
  readJsonBody(request, NewWallet, timeoutMs)

/** The parameters of a transaction, by the wallet's type. */
export type TransactionParams =
  | { walletType: 'evm-smart-wallet'; params: EvmSmartWalletParams }
  | { walletType: 'evm-mpc-wallet'; params: EvmMpcWalletParams }
  | { walletType: 'solana-smart-wallet'; params: SolanaSmartWalletParams }
  | { walletType: 'solana-mpc-wallet'; params: SolanaMpcWalletParams }

/** Reads a transaction for a wallet of a type. */
export const readNewTransaction = async (
  request: Request,
  walletType: WalletType,
  timeoutMs: number,
): Promise<TransactionParams> => {
  const read = async <Params>(schema: z.ZodMiniType<Params>): Promise<Params> =>
    (await readJsonBody(request, z.object({ params: schema }), timeoutMs)).params
  switch (walletType) {
    case 'evm-smart-wallet':
      return { walletType, params: await read(EvmSmartWalletParams) }
    case 'evm-mpc-wallet':
      return { walletType, params: await read(EvmMpcWalletParams) }
    case 'solana-smart-wallet':
      return { walletType, params: await read(SolanaSmartWalletParams) }
    case 'solana-mpc-wallet':
      return { walletType, params: await read(SolanaMpcWalletParams) }
  }
}

/** Reads approvals of a transaction. */
export const readApprovals = (request: Request, timeoutMs: number): Promise<ApproveTransactionBody> =>
  readJsonBody(request, ApproveTransactionBody, timeoutMs)
