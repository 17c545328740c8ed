import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

/** The service's policy lets pages run and show only files of the service, so nothing is inlined. */
export default defineConfig({
  base: '/pay/',
  plugins: [react()],
  resolve: { conditions: ['@kassa/source', ...defaultClientConditions] },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    license: { fileName: 'LICENSES.md' },
  },
})
