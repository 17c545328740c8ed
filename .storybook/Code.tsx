import { Source } from '@storybook/addon-docs/blocks'
import { useTheme } from 'storybook/theming'

/** Code to copy, in the theme of its page. */
export function Code(props: { code: string; language: 'sh' | 'tsx' }) {
  return <Source {...props} dark={useTheme().base === 'dark'} />
}
