import type { CheckoutStage } from './value.js'

/** Every sentence the parts say by themselves. Children of a part replace them. */
export const messages = {
  pay: {
    pay: (amount: string | undefined) => (amount ? `Pay ${amount}` : 'Pay'),
    paid: 'Paid',
    failed: 'Payment failed',
    confirming: 'Confirming payment…',
    refresh: 'Get a new price',
    refreshing: 'Getting a new price…',
    expired: 'Price expired',
    unavailable: 'Not available',
    insufficientFunds: (currency: string | undefined) =>
      currency ? `Not enough ${currency.toUpperCase()}` : 'Not enough funds',
    insufficientFundsForGas: 'Not enough for the network fee',
    again: 'Pay again',
    accept: (amount: string | undefined) => (amount ? `Accept ${amount}` : 'Accept the new price'),
    stopped: 'Payment stopped',
    connect: 'Connect a wallet to pay',
  },
  step: {
    connecting: { label: 'Connecting…', sentence: 'Connecting your wallet.' },
    'switching-chain': {
      label: 'Switching network…',
      sentence: 'Your wallet is asked to switch its network.',
    },
    checking: { label: 'Checking…', sentence: 'Checking the payment before it goes to your wallet.' },
    'awaiting-signature': {
      label: 'Confirm in your wallet…',
      sentence: 'Look at your wallet and confirm the payment there.',
    },
    broadcast: { label: 'Confirming payment…', sentence: 'Your payment is on its way to the network.' },
    confirming: { label: 'Confirming payment…', sentence: 'The network is confirming your payment.' },
    paid: { label: 'Confirming payment…', sentence: 'Your payment went through. The shop is taking it in.' },
  },
  status: {
    loading: 'Loading your order.',
    'needs-recipient': 'Say who this order is for to see its price.',
    'needs-address': 'Add the address this order is shipped to.',
    'needs-email': 'Add an e-mail address for the receipt.',
    'needs-payer': 'Connect the wallet you want to pay with.',
    unavailable: 'Nothing in this order can be bought any more.',
    expired: 'This price has run out. Get a new one to go on.',
    'insufficient-funds':
      'Your wallet holds too little for this order. Add funds; this page notices by itself.',
    'ready-to-pay': 'Ready to pay.',
    paying: 'Your payment was seen and is being confirmed.',
    delivering: 'Paid. Your order is being delivered.',
    completed: 'Delivered. Thank you for your order.',
    failed: 'This order ended without everything in it.',
    unknown: 'The order is in a state this page does not know.',
  } satisfies Record<CheckoutStage, string>,
  insufficientFundsForGas:
    'Your wallet holds too little for the network fee. Add funds; this page notices by itself.',
  notPaid: 'Not paid yet.',
  uncertain: 'A payment may be under way. This page keeps looking for it.',
  dropped: 'Your payment may still come back. This page keeps looking for it.',
  paymentFailed: 'The payment failed. Nothing was bought.',
  paymentReturning: 'Your payment did not match this order and is being sent back.',
  paymentReturned: 'Your payment did not match this order and was sent back. You can pay again.',
  deliveringSome: (delivered: number, all: number) => `Paid. ${delivered} of ${all} items delivered.`,
  failedSome: (failed: number, all: number) =>
    failed === all
      ? 'Nothing in this order could be delivered'
      : `${failed} of ${all} items could not be delivered`,
  refunded: 'the price was sent back',
  unknownStatuses: (statuses: string) => `The order is at: ${statuses}.`,
  delivery: {
    'awaiting-payment': 'Awaiting payment',
    'in-progress': 'On its way',
    completed: 'Delivered',
    failed: 'Could not be delivered',
  },
  unavailableItem: 'No longer available',
  timeLeft: 'Time left at this price',
  items: 'Items',
  receipt: 'Receipt',
} as const

/** Shows a status this version does not know as plain words. */
export const toWords = (status: string): string => status.replaceAll('-', ' ')
