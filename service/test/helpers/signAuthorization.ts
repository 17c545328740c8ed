import type { CreateAuthorizationBody, Order, PreparedAuthorization } from 'kassa/schema'
import { PreparedAuthorization as AuthorizationReader } from 'kassa/schema'
import type { Hex, LocalAccount } from 'viem'
import * as z from 'zod/mini'

/** Reads what an order proposes to be signed. */
export const proposalOf = (order: Order): PreparedAuthorization =>
  z.parse(AuthorizationReader, order.payment.preparation?.authorization)

/** Signs typed data of an order as a wallet does. */
export type SignTypedData = (data: PreparedAuthorization['typedData']) => Promise<Hex>

/** Signs as an account with a key. */
export const signWith =
  (account: LocalAccount): SignTypedData =>
  ({ domain, types, primaryType, message }) =>
    account.signTypedData({ domain, types, primaryType, message } as never)

/** Signs what an order proposes, as the body of a request. */
export const signAuthorization = async (
  payerAddress: string,
  { kind, typedData, permit }: PreparedAuthorization,
  sign: SignTypedData,
): Promise<CreateAuthorizationBody> => ({
  kind: kind as CreateAuthorizationBody['kind'],
  payerAddress,
  domain: typedData.domain,
  message: typedData.message,
  signature: await sign(typedData),
  ...(permit && {
    permit: { domain: permit.domain, message: permit.message, signature: await sign(permit) },
  }),
})
