/// <reference path="../css.d.ts" />
/** Formik and yup behind accessible fields. Schemas are module constants; their messages are i18n keys. */

export { type FormikHelpers, useFormikContext } from 'formik';
export { type InferType, object, ref, string } from 'yup';
export { CodeField, type CodeFieldProps } from './code-field';
export { NumberField, PasswordField, SelectField, TextField } from './fields';
export { Form, FormError, SubmitButton } from './form';
export { OwnCodeField, ProofForm, type ProofWay } from './proof-form';
export { showFailure } from './server-errors';
export { formMessage } from './texts';
