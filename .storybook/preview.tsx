/// <reference types="vite/client" />
import type { Preview } from '@storybook/react-vite'
import { members } from 'kassa/schema'
import { configure } from 'storybook/test'
import theme from '../src/theme.css?inline'
import { addPartArgTypes } from './addPartArgTypes.js'
import { DocsContainer } from './DocsContainer.js'
import { DocsPage } from './DocsPage.js'
import { readDocumentation, toMarkdown } from './documentation.js'
import { loadLanguage, withLanguage } from './language.js'
import '../stories/stories.css'

// A sheet of its own, because the story "Unstyled" switches it off.
const look = new CSSStyleSheet()
look.replaceSync(theme)
document.adoptedStyleSheets.push(look)

const languages = new Intl.DisplayNames('en', { type: 'language' })

export default {
  tags: ['autodocs'],
  initialGlobals: { theme: 'light', locale: 'en-US', direction: 'ltr' },
  globalTypes: {
    theme: {
      description: 'Color theme of the parts and of the page around them',
      toolbar: {
        title: 'Theme',
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
        dynamicTitle: true,
      },
    },
    locale: {
      description: 'Language of the order, and of what the parts say',
      toolbar: {
        title: 'Language',
        icon: 'globe',
        items: members.locales.map((value) => ({ value, title: languages.of(value) ?? value, right: value })),
        dynamicTitle: true,
      },
    },
    direction: {
      description: 'Direction of writing',
      toolbar: {
        title: 'Direction',
        items: [
          { value: 'ltr', title: 'Left to right', icon: 'arrowright' },
          { value: 'rtl', title: 'Right to left', icon: 'arrowleft' },
        ],
        dynamicTitle: true,
      },
    },
  },
  argTypesEnhancers: [addPartArgTypes],
  parameters: {
    layout: 'fullscreen',
    // A violation found by axe fails the story's test.
    a11y: { test: 'error' },
    controls: { expanded: true, sort: 'none' },
    docs: {
      container: DocsContainer,
      page: DocsPage,
      extractComponentDescription: (component: unknown) => toMarkdown(readDocumentation(component).comment),
    },
    options: {
      storySort: {
        order: [
          'Introduction',
          'Checkout',
          [
            'The whole',
            'Panel',
            ['*', 'Looks', 'Moments', 'Focus'],
            'Through time',
            'Purchase',
            'Behaviour',
            'Order states',
            'Pay steps',
            'Pay errors',
          ],
          'Parts',
          // As a buyer meets them.
          [
            'All parts',
            'Root',
            'Items',
            'Item',
            'ItemImage',
            'ItemName',
            'ItemDescription',
            'ItemQuantity',
            'ItemPrice',
            'ItemCharge',
            'ItemRecipient',
            'ItemDelivery',
            'ItemStock',
            'ItemTracking',
            'ItemLimit',
            'ItemOpening',
            'RecipientForm',
            'AddressForm',
            'EmailForm',
            'PromotionForm',
            'RefundForm',
            'Field',
            'FieldLabel',
            'FieldInput',
            'FieldError',
            'Submit',
            'Wallets',
            'Wallet',
            'Disconnect',
            'Payer',
            'PaymentMethod',
            'PaymentOptions',
            'Funds',
            'Balance',
            'Charge',
            'Total',
            'FiatTotal',
            'NetworkFee',
            'Expiry',
            'Promotion',
            'Refresh',
            'Pay',
            'Transfer',
            'TransferQr',
            'TransferValue',
            'TransferCopy',
            'OpenInWallet',
            'Error',
            'Status',
            'Progress',
            'TransactionLink',
            'Receipt',
            'Refund',
          ],
          '*',
          'Devtools',
        ],
      },
    },
  },
  // What a story waits for may take longer than a second where the machine is busy. It waits for English words, which
  // do not come in another language.
  beforeEach: ({ globals }) => configure({ asyncUtilTimeout: globals.locale === 'en-US' ? 60_000 : 1_000 }),
  loaders: [loadLanguage],
  decorators: [
    withLanguage,
    (Story, { globals, parameters }) => {
      look.disabled = parameters.isUnstyled === true
      return (
        <div className="stage" data-theme={globals.theme} dir={globals.direction} lang={globals.locale}>
          <Story />
        </div>
      )
    },
  ],
} satisfies Preview
