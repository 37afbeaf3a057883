/** As much of a request's content as is taken into memory: `client_body_buffer_size` of the places where it is read. */
export const heldBytesMax = 1_048_576;
