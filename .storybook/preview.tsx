import type { Preview } from '@storybook/react-vite'
import '../stories/stories.css'

export default {
  tags: ['autodocs'],
  initialGlobals: { theme: 'light' },
  globalTypes: {
    theme: {
      description: 'Theme of the page around the parts',
      toolbar: {
        title: 'Theme',
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
        dynamicTitle: true,
      },
    },
  },
  parameters: {
    layout: 'fullscreen',
    // A violation found by axe fails the story's test.
    a11y: { test: 'error' },
    controls: { disable: true },
    options: {
      storySort: {
        order: ['Checkout', ['The whole', 'Behaviour', 'Order states', 'Pay steps', 'Pay errors'], 'Parts'],
      },
    },
  },
  decorators: [
    (Story, { globals }) => (
      <div className="stage" data-theme={globals.theme}>
        <Story />
      </div>
    ),
  ],
} satisfies Preview
