/** Spanish: what is wrong with a setting or a settings file. */
import type { Texts } from '../en/index.ts'

export const esDefect: Texts['defect'] = ({ kind, detail = '' }) =>
  ({
    empty: 'El archivo está vacío.',
    notAnObject: 'El archivo debe contener un objeto, entre { y }.',
    commaBefore: `Hay una coma antes de ${detail}: quítala.`,
    commaMissing: 'Falta una coma justo antes.',
    colonMissing: 'Faltan dos puntos justo antes.',
    notClosed: `Falta ${detail} de cierre.`,
    textNotClosed: 'Faltan las comillas de cierre.',
    afterTheEnd: 'Hay más texto después de la última }.',
    comment: 'JSON no admite comentarios: quita este.',
    backslash: 'Escribe dos veces cada barra invertida: \\\\.',
    quotes: 'Usa comillas dobles rectas: "',
    noQuotes: 'Escribe los nombres y los textos entre comillas, y true, false y null en minúsculas.',
    utf16: 'Está en UTF-16: guárdalo en UTF-8.',
    notUtf8: 'No está en UTF-8: guárdalo en UTF-8.',
    notAnAddress: 'Debe ser una dirección, como https://data.example.com.',
    notHttps: 'La dirección debe empezar por https://.',
    hasCredentials: 'La dirección no puede contener usuario ni contraseña.',
    hasQuery: 'La dirección no puede contener ? ni #.',
    switch: 'Debe ser true o false, sin comillas.',
    dword: 'En el registro debe ser un REG_DWORD: 1 para activado, 0 para desactivado.',
    port: 'Debe ser un número entero entre 1024 y 65535.',
    oneOf: `Valores posibles: ${detail}.`,
    text: 'Debe ser un texto entre comillas.',
    domain: 'Debe ser solo un dominio, como login.example.com.',
    object: 'Debe ser un objeto, entre { y }.',
    files: 'Debe ser una lista de rutas absolutas, entre [ y ].',
    certificate: 'Debe indicar certFile y keyFile, o pfxFile, con rutas absolutas.',
    noCertificate: 'El archivo no contiene ningún certificado.',
    connectionName:
      'Una conexión no puede llamarse así. Usa a–z, 0–9, - y _: como máximo 32 caracteres, con una letra o cifra al principio.',
    meant: `¿Quisiste decir ${detail}?`,
  })[kind]
