import { startWechatBridge } from './wechat-bridge';

startWechatBridge();
