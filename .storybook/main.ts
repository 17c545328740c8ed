import type { StorybookConfig } from '@storybook/react-vite'
import { mergeConfig } from 'vite'
import { partDocs } from './partDocs.js'

export default {
  framework: '@storybook/react-vite',
  stories: ['../stories/**/*.mdx', '../stories/**/*.stories.tsx'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  features: { sidebarOnboardingChecklist: false },
  viteFinal: (config) =>
    mergeConfig(config, {
      plugins: [partDocs()],
      // Found late, it would load the page again in the middle of a test.
      optimizeDeps: { include: ['react-dom/server'] },
      build: {
        // The page that holds all stories is no site to be measured.
        chunkSizeWarningLimit: 4_000,
        rolldownOptions: {
          // 'use client' means nothing to a page without a server; every part would be warned of.
          checks: { moduleLevelDirective: false },
        },
      },
    }),
} satisfies StorybookConfig
