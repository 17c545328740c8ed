import type { Skeleton } from './strangersApp.js'

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  jsx: 'react-jsx',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
}

/** What `npm create vite` makes with its template `react-ts`, as far as the guide leaves it in place. */
export const viteSkeleton: Skeleton = {
  packages: [
    'react',
    'react-dom',
    'vite',
    '@vitejs/plugin-react',
    'typescript',
    '@types/react',
    '@types/react-dom',
  ],
  build: 'tsc -b && vite build',
  files: {
    'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" href="data:," />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>my-shop</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.tsx"></script>
  </body>
</html>
`,
    'vite.config.ts': `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react()] })
`,
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...compilerOptions,
        types: ['vite/client'],
        verbatimModuleSyntax: true,
        noUnusedLocals: true,
        noUnusedParameters: true,
      },
      include: ['src'],
    }),
  },
}

/** What `create-next-app --yes` makes, as far as the guide leaves it in place. */
export const nextSkeleton: Skeleton = {
  packages: ['next', 'react', 'react-dom', 'typescript', '@types/node', '@types/react', '@types/react-dom'],
  build: 'next build',
  files: {
    'next.config.ts': `import type { NextConfig } from 'next'

const nextConfig: NextConfig = {}

export default nextConfig
`,
    'app/layout.tsx': `import './globals.css'

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`,
    'app/globals.css': 'body { margin: 0; }\n',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        ...compilerOptions,
        allowJs: true,
        esModuleInterop: true,
        resolveJsonModule: true,
        isolatedModules: true,
        incremental: true,
        plugins: [{ name: 'next' }],
      },
      include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts', '.next/dev/types/**/*.ts'],
      exclude: ['node_modules'],
    }),
  },
}
