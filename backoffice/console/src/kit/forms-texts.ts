import { pairTexts } from '../pair-texts';

export const { useTexts, t } = pairTexts('staff-forms', {
  check: ['请检查以下内容', 'Please check'],
  cancel: ['取消', 'Cancel'],
  remove: ['移除', 'Remove'],
  up: ['上移', 'Move up'],
  zh: ['{{label}}（中文）', '{{label}} (Chinese)'],
  en: ['{{label}}（英文）', '{{label}} (English)'],
  picture: {
    choose: ['选择图片', 'Choose a picture'],
    hint: ['JPEG、PNG、WebP 或 GIF，自动裁剪为合适的大小', 'JPEG, PNG, WebP or GIF; cropped automatically'],
    none: ['没有图片', 'No picture'],
    across: ['左右位置', 'Horizontal position'],
    down: ['上下位置', 'Vertical position'],
    focus: ['裁剪时保留的位置', 'Focus of the crop'],
    remove: ['移除图片', 'Remove the picture'],
    large: ['图片超过 12 MB，请换一张。', 'The picture is larger than 12 MB. Choose another.'],
  },
  fault: {
    required: ['请填写此项', 'Required'],
    format: ['格式不正确', 'Invalid format'],
    short: ['至少 {{min}} 个字', 'Use at least {{min}} characters'],
    min: ['不能小于 {{min}}', 'Must be at least {{min}}'],
    max: ['不能大于 {{max}}', 'Must be at most {{max}}'],
  },
});
