/** How a program reaches the service. */
export type ServiceAddress = { baseUrl: string; serverKey: string; fetch: typeof fetch }

/** The parts of an order that the test looks at. */
export type Sale = {
  orderId: string
  phase: string
  serializedTransaction: string | undefined
  tokenIds: string[]
}

/** The two requests that a purchase needs, made through a generated client. */
export type Client = {
  createOrder: (buyer: string) => Promise<Sale>
  getOrder: (orderId: string) => Promise<Sale>
}
