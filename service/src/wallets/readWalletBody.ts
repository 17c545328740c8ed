import { readWalletType } from 'kassa/engine'
import { CreateWalletBody } from 'kassa/schema'
import * as z from 'zod/mini'
import { checkInput } from '../errors.js'
import { parseInput } from '../lib/parseInput.js'

const Typed = z.object({ type: CreateWalletBody.shape.type })

/**
 * Reads the body of a wallet to create. It checks the type first, so that a type that is not enabled is
 * refused as such, without an error about its signer.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field.
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const readWalletBody = (body: unknown): CreateWalletBody => {
  checkInput(() => readWalletType(parseInput(Typed, body, 'body').type))
  return parseInput(CreateWalletBody, body, 'body')
}
