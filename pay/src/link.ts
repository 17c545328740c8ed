import type { CreateOrderAnswer, OrderSession, PaymentContracts, TokenTable } from 'kassa'

/** A line item before there is an order. */
export type ShownItem = {
  name: string
  description: string
  imageUrl: string
  quantity: number
  price?: { amount: string; currency: string }
}

/** What the service shows of a payment link. */
export type OpenedLink = {
  status: 'active' | 'deactivated' | 'ended' | 'used-up'
  title: string
  shop: string
  environment: 'staging' | 'production'
  isSandbox: boolean
  lineItems: ShownItem[]
  maxQuantity?: number
  successUrl?: string
  chains: string[]
  rules: {
    contracts?: PaymentContracts
    tokens?: TokenTable
    solana?: { operator: string; tokens: Record<string, { address: string; decimals: number }> }
  }
}

/** A refusal of the service. */
export class PayError extends Error {
  override readonly name = 'PayError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The id of the link, from the address of the page. */
export const linkId = location.pathname.split('/').filter(Boolean).at(-1) ?? ''

/** The address of the page, without what a visitor added to it. */
export const pageUrl = `${location.origin}${location.pathname}`

const ask = async <Answer>(path: string, init?: RequestInit): Promise<Answer> => {
  const response = await fetch(`/pay/${linkId}${path}`, init)
  const body = await response.json().catch(() => undefined)
  if (!response.ok) throw new PayError(response.status, body?.message ?? response.statusText)
  return body
}

/** Reads what the link sells. */
export const readLink = (): Promise<OpenedLink> => ask('/link')

/** Creates an order of the link. */
export const orderByLink = async (order: { quantity?: number; locale: string }): Promise<OrderSession> => {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(order) }
  const { order: created, clientSecret } = await ask<CreateOrderAnswer>('/orders', init)
  return { orderId: created.orderId, clientSecret }
}
