import type { OpenAPIV3_1 } from 'openapi-types';
import { petStatuses } from './pet-status.ts';

const json = (schema: string) => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

const response = (name: string): OpenAPIV3_1.ReferenceObject => ({
  $ref: `#/components/responses/${name}`,
});

/** The Pet Store Inventory API as an OpenAPI 3.1 document. */
export const openApiDocument: OpenAPIV3_1.Document<{ 'x-stability'?: 'experimental' }> = {
  openapi: '3.1.1',
  info: {
    title: 'Pet Store Inventory API',
    version: '1.0.0',
    summary: 'Current stock levels of the pets of a store.',
    description:
      'Lists the stock entry of every pet and sets the stock quantity of one. ' +
      'Retrieving pets and listing orders belong to the wider service and are not described here.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: '{origin}/v1',
      description: 'Production, staging or a mock: all serve the same paths.',
      variables: {
        origin: {
          default: 'http://127.0.0.1:4010',
          description: 'Scheme, host and port of the service.',
        },
      },
    },
  ],
  security: [{ bearerAuth: [] }],
  tags: [{ name: 'inventory', description: 'Stock levels.' }],
  paths: {
    '/inventory': {
      get: {
        operationId: 'listInventory',
        tags: ['inventory'],
        summary: 'List inventory',
        description: 'Returns the current stock levels of all pets in the store, in one array.',
        responses: {
          '200': {
            description: 'The stock entry of every pet.',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/InventoryItem' } },
                examples: {
                  twoPets: {
                    value: [
                      { petId: 1, quantity: 12, status: 'available' },
                      { petId: 2, quantity: 0, status: 'sold' },
                    ],
                  },
                },
              },
            },
          },
          '401': response('Unauthorized'),
        },
      },
    },
    '/inventory/{petId}': {
      patch: {
        operationId: 'updateInventory',
        tags: ['inventory'],
        summary: 'Update stock level',
        description:
          'Sets the stock quantity of one pet: new arrivals, returns, manual adjustments. ' +
          'Experimental: the shape of the request may change before it becomes stable.',
        'x-stability': 'experimental',
        parameters: [
          {
            name: 'petId',
            in: 'path',
            required: true,
            description: 'Id of the pet whose stock is updated.',
            schema: { type: 'integer', format: 'int64' },
          },
        ],
        requestBody: {
          required: true,
          description: 'The new stock count.',
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/InventoryUpdate' },
              examples: { fortyTwo: { value: { quantity: 42 } } },
            },
          },
        },
        responses: {
          '200': {
            description: 'The updated entry.',
            content: json('InventoryItem'),
          },
          '400': response('BadRequest'),
          '401': response('Unauthorized'),
          '404': response('NotFound'),
        },
      },
    },
  },
  components: {
    securitySchemes: {
      bearerAuth: {
        type: 'http',
        scheme: 'bearer',
        description: 'The API key, as Authorization: Bearer <API_KEY>.',
      },
    },
    schemas: {
      InventoryItem: {
        type: 'object',
        description: 'The stock entry of one pet.',
        required: ['petId', 'quantity', 'status'],
        properties: {
          petId: {
            type: 'integer',
            format: 'int64',
            description: 'Id of the animal that this entry tracks.',
          },
          quantity: { type: 'integer', description: 'Current stock count.' },
          status: { $ref: '#/components/schemas/PetStatus' },
        },
      },
      InventoryUpdate: {
        type: 'object',
        description: 'A new stock count.',
        required: ['quantity'],
        properties: { quantity: { type: 'integer', description: 'The new stock count.' } },
      },
      PetStatus: {
        type: 'string',
        description: 'The status of a stock entry.',
        enum: [...petStatuses],
      },
      Error: {
        type: 'object',
        description: 'The body of every error response.',
        required: ['code', 'message', 'status'],
        properties: {
          code: { type: 'string', description: 'Machine-readable error code.' },
          message: { type: 'string', description: 'Human-readable description.' },
          status: { type: 'integer', description: 'The HTTP status code.' },
        },
      },
    },
    responses: {
      BadRequest: {
        description: 'The request body lacks required fields or contains invalid values.',
        content: json('Error'),
      },
      Unauthorized: { description: 'The API key is missing or invalid.', content: json('Error') },
      NotFound: {
        description: 'The requested resource could not be found.',
        content: json('Error'),
      },
    },
  },
};
