import * as z from 'zod/mini'
import { CreateWalletBody } from '../../schema/walletInput.js'
import { parseInput } from '../parseInput.js'
import { assertSignerType, readWalletType } from './signer.js'

const Typed = z.object({ type: CreateWalletBody.shape.type })
const Signed = z.object({ config: z.object({ adminSigner: z.object({ type: z.string() }) }) })

/**
 * Reads the body of a wallet to create. It checks the type of the wallet first, then that of its signer, so that an
 * error never names a signer that this wallet cannot have.
 *
 * @throws {@link InvalidInput} naming the field.
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const readWalletBody = (body: unknown): CreateWalletBody => {
  const type = readWalletType(parseInput(Typed, body, 'body').type)
  const signed = z.safeParse(Signed, body)
  if (signed.success) assertSignerType(type, signed.data.config.adminSigner.type)
  return parseInput(CreateWalletBody, body, 'body')
}
