import { cleanPath } from '../base/clean-path.ts'
import { urlOf } from '../base/url.ts'

export interface McpAddresses {
  /** The base address if there is no data address. */
  readonly data: string
  /** The addresses of further servers, separated by spaces. */
  readonly listed?: string | undefined
}

type McpServer = { readonly url: URL } | { readonly refused: string }

/** @param asked by default `mcp` below the data address */
export function serverOf(asked: string | undefined, { data, listed = '' }: McpAddresses): McpServer {
  const wanted = asked ?? `${data.replace(/\/$/, '')}/mcp`
  const url = urlOf(wanted)
  if (url === undefined) return { refused: 'The address of an MCP server looks like https://data.example.com/mcp.' }
  url.hash = ''
  const below = [data, ...listed.split(/\s+/)].flatMap((each) => urlOf(each) ?? [])
  if (below.some((each) => isBelow(url, each))) return { url }
  return {
    refused: `Latchkey sends no token to ${url.origin}: the address of an MCP server must be below ${data}, or one that your administrator lists.`,
  }
}

/** SECURITY: `URL` has resolved the dots, but a server that decodes once more could still leave the base address. */
const isBelow = (url: URL, base: URL): boolean =>
  url.origin === base.origin &&
  url.username === '' &&
  url.password === '' &&
  !/%2f/i.test(url.pathname) &&
  cleanPath(url.pathname) === url.pathname &&
  `${url.pathname}/`.startsWith(`${base.pathname.replace(/\/+$/, '')}/`)
