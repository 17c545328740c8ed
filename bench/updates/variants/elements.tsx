import { formatAmount } from '../../../src/order/index.js'

/** The elements that every variant draws, in the same number and shape; where their props come from is its own. */
export const ImageElement = ({ src, alt }: { src: string | undefined; alt: string | undefined }) => (
  <img src={src} alt={alt ?? ''} />
)

/** The name of a line item. */
export const NameElement = ({ name }: { name: string | undefined }) => <span>{name}</span>

/** How many of it. */
export const QuantityElement = ({ quantity }: { quantity: number | undefined }) => (
  <span data-quantity={quantity}>{`×\u00a0${quantity}`}</span>
)

/** What it costs. */
export const PriceElement = ({
  amount = '',
  currency = '',
}: {
  amount: string | undefined
  currency: string | undefined
}) => <span>{formatAmount({ amount, currency }, 'en-US')}</span>

/** How far it is on its way. */
export const DeliveryElement = ({ status }: { status: string | undefined }) => (
  <span data-status={status}>{status}</span>
)
