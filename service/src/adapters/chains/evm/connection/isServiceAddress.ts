import { getAddress, zeroAddress } from 'viem'
import type { ChainPort } from '#base/ports/chain.js'
import type { Operator } from '../operator.js'
import { authorizationDeployments, getCloneAddress, toReference, walletDeployments } from './addresses.js'

/** Whether an address is the operator's, a token's, a contract of the service or the deposit address of an order. */
export const isServiceAddress = (
  { account, deployments, contracts, currencies }: Operator,
  { orderId, address }: Parameters<ChainPort['isServiceAddress']>[0],
): boolean => {
  const { router, depositFactory } = contracts
  const { collectionFactory, collectionCode } = deployments
  const deployed = [
    collectionFactory,
    ...Object.values(collectionCode),
    ...Object.values(walletDeployments),
    ...Object.values(authorizationDeployments),
  ]
  const tokens = currencies.flatMap((each) => each.address ?? [])
  const deposit = getCloneAddress(depositFactory, toReference(orderId))
  const own = [zeroAddress, account.address, router, depositFactory, deposit, ...tokens]
  return [...own, ...deployed.map((each) => each.address)].some(
    (each) => getAddress(each) === getAddress(address),
  )
}
