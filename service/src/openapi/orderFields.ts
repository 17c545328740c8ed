import { CreateOrderBody, EditOrderBody, Order } from 'kassa/schema'
import { describeFields } from './describeFields.js'

const forMerchant = 'Shown to server keys and in webhooks only'

const localeNote = {
  description:
    'The language of the order and its e-mails, as a BCP 47 tag. Without a translation, that of its language, else English',
  format: 'bcp47',
  examples: ['de-DE'],
}

describeFields(EditOrderBody, { locale: localeNote })

describeFields(CreateOrderBody, {
  locale: { ...localeNote, default: 'en-US' },
  'recipient.physicalAddress':
    'Where the goods are shipped to. Required where a collection’s `payments.requires` lists `physical-address`',
  'payment.receiptEmail':
    'Receives the receipt once the payment is confirmed. Required where a collection’s `payments.requires` lists `receipt-email`',
  gift: 'Names the giver in the e-mail to the recipient: an extension of the interface',
  'gift.giverName': {
    description: 'The giver. When left out, the e-mail shows the shortened address that paid',
    examples: ['Grace'],
  },
  'gift.note': { description: 'Quoted in the e-mail to the recipient', examples: ['Happy birthday!'] },
})

describeFields(Order, {
  'lineItems.delivery.recipient.physicalAddress': `Where the goods are shipped to. ${forMerchant}`,
  'payment.receiptEmail': `Receives the receipt once the payment is confirmed. ${forMerchant}`,
  gift: `As it was sent with create order: an extension of the interface. ${forMerchant}`,
  'gift.giverName': 'Who gives the goods',
  'gift.note': 'What the giver writes to the recipient',
})
