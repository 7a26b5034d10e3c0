import type { Texts } from '../en/index.ts'

export const esTools: Texts['tools'] = {
  heading: 'Usar en tus herramientas',
  yours: 'Tus herramientas',
  another: 'Usar en otra herramienta',
  tiles: { python: 'cuaderno o script', r: 'con httr2', shell: 'curl y otras', gateway: 'dirección y contraseña' },
  choice: 'Herramienta',
  other: 'Otra',
  install: 'Instalación (una sola vez, en una terminal)',
  installInNotebook: 'O instalación en un cuaderno',
  inVenv: (python) => `Después, ejecuta tus scripts con ${python}.`,
  use: 'En tu código',
  replace: 'cambia la ruta por la de tus datos',
  inTerminal: 'Ejecuta en una terminal',
  inTerminalWithPath: 'Ejecuta en una terminal, con la ruta de tus datos',
  start: 'Inicia un programa con un token',
  startHint:
    'Tu programa encuentra el token de acceso en la variable de entorno ACCESS_TOKEN. No se renueva mientras el programa se ejecuta.',
  ai: 'Clientes de IA',
  aiHint:
    'Muestra qué añadir a .mcp.json para Claude Code; con cursor, a ~/.cursor/mcp.json; con vscode, a .vscode/mcp.json. El cliente de IA llega así al servidor MCP de tu plataforma de datos y nunca ve tu token.',
  gateway: {
    name: 'Excel y BI',
    label: 'Pasarela para Excel y BI',
    lead: 'Excel, Power BI, Tableau y otros usan una dirección, un nombre de usuario y una contraseña. La pasarela, solo en este equipo, les da tus datos; nunca ven tu token.',
    signedOut: 'Estos programas volverán a recibir datos cuando inicies sesión.',
    address: 'Dirección',
    copyPassword: 'Copiar contraseña',
    newPassword: 'Contraseña nueva',
    passwordCopied: 'Copiada. Pégala antes de cinco minutos.',
    passwordHint: 'Latchkey no guarda la contraseña. Si la pierdes, crea otra.',
    replace: {
      title: '¿Crear una contraseña nueva?',
      body: 'Los programas que tengan la anterior no recibirán datos hasta que escribas la nueva en ellos.',
      keep: 'Conservar la anterior',
      confirm: 'Crear y copiar',
    },
    steps: [
      'En tu programa, obtén datos de la web o de OData: escribe la dirección, seguida de la ruta de tus datos.',
      'Cuando pregunte cómo iniciar sesión, elige «Básico» o «Basic» y escribe el nombre de usuario y la contraseña.',
      'Actualiza como siempre: funciona mientras tengas la sesión abierta en Latchkey.',
    ],
    portTaken: (port, by) => ({
      title: `El puerto ${port} está ocupado`,
      body:
        by === undefined
          ? 'Otro programa lo está usando. Ciérralo o elige otro puerto.'
          : `${by} lo está usando. Cierra ese programa o elige otro puerto.`,
    }),
    failed: (port, cause) => ({
      title: 'La pasarela no puede iniciarse',
      body: `El puerto ${port} no se puede usar (${cause}). Elige otro puerto.`,
    }),
    otherPort: 'Elegir otro puerto',
  },
  copy: 'Copiar',
  copied: 'Copiado.',
  notCopied: 'No se pudo copiar. Selecciona el texto y cópialo.',
}
